/** The command line of one peer (06 Command of a peer). Positional, so an absent value before a present one is `""`. */
import type { Peer } from '../teams-file/peer.ts';
import { DEFAULT_PROJECT } from './workspace-label.ts';

/**
 * The usual command of a peer, unchanged: the launcher adds no state, no flag and no wrapper of its own.
 *
 * @param project `default` is left out; any other stands after model and session
 */
export function peerCommand(peer: Peer, project: string): string[] {
  const withModel = [...recipeOf(peer), ...(peer.model === undefined ? [] : [peer.model])];
  if (project === DEFAULT_PROJECT) return withModel;
  return [...recipeOf(peer), peer.model ?? '', '', project];
}

function recipeOf(peer: Peer): string[] {
  if (peer.runner === 'claude-code') return ['just', '_claude-peer', peer.name];
  if (peer.extensions === undefined) return ['just', '_peer', peer.persona, peer.name];
  return ['just', '_peer-plus', peer.extensions, peer.persona, peer.name];
}
