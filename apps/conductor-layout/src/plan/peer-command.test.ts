import { expect, test } from 'vitest';
import type { Peer } from '../teams-file/peer.ts';
import { peerCommand } from './peer-command.ts';

const harness: Peer = { name: 'n', persona: 'p' };
const claude: Peer = { name: 'n', runner: 'claude-code' };

test.each<[Peer, string, string]>([
  [harness, 'default', 'just _peer p n'],
  [{ ...harness, model: 'm' }, 'default', 'just _peer p n m'],
  [{ ...harness, model: 'm' }, 'proj', 'just _peer p n m "" proj'],
  [harness, 'proj', 'just _peer p n "" "" proj'],
  [{ ...harness, extensions: 'x,y' }, 'default', 'just _peer-plus x,y p n'],
  [{ ...harness, extensions: 'x,y', model: 'm' }, 'default', 'just _peer-plus x,y p n m'],
  [{ ...harness, extensions: 'x,y' }, 'proj', 'just _peer-plus x,y p n "" "" proj'],
  [claude, 'default', 'just _claude-peer n'],
  [{ ...claude, model: 'opus' }, 'default', 'just _claude-peer n opus'],
  [{ ...claude, persona: 'p' }, 'proj', 'just _claude-peer n "" "" proj'],
  [{ ...harness, env_file: '.env' }, 'default', 'just _peer p n'],
])('%j in project %s is started by: %s [LAYO-04]', (peer, project, expected) => {
  expect(peerCommand(peer, project)).toEqual(expected.split(' ').map((word) => (word === '""' ? '' : word)));
});
