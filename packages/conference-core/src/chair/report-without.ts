/** The final report where content is lost: whole if it can be, else without the packets that are gone, which it names. */
import { lostDigests, withoutContent } from '../artifacts/lost-content.ts';
import { FINAL_REPORT_MD } from '../artifacts/paths.ts';
import type { LedgerLine } from '../artifacts/ledger-line.ts';
import { renderArtifact, type Artifact } from '../artifacts/render.ts';
import type { State } from '../state.ts';
import type { ContentPort } from './ports.ts';
import { ContentMissing, read } from './reading.ts';

/** Which bytes come out depends on what the store holds, and on nothing else. Never throws for lost content. */
export function reportWithout(state: State, head: LedgerLine, objects: ContentPort): Artifact {
  try {
    return read(renderArtifact(state, FINAL_REPORT_MD, head), objects);
  } catch (error) {
    if (!(error instanceof ContentMissing)) throw error;
    const lost = lostDigests(state, (digest) => objects.get(digest).status === 'found');
    return read(renderArtifact(withoutContent(state, lost), FINAL_REPORT_MD, head), objects);
  }
}
