/**
 * What is said to herdr and what of its answers is read (06 Live; herdr's published socket API).
 *
 * Boundary: shapes alone. Names are exact: that server ignores a parameter it does not know, without a word.
 */
import * as z from 'zod/mini';
import type { WireNode } from '../plan/layout-node.ts';

/** The protocol that knows `layout.apply`. */
export const PROTOCOL_MIN = 14;

/** The parameters of each method that a start uses; nothing else of the API is called. */
export interface HerdrParams {
  ping: Readonly<Record<string, never>>;
  'workspace.list': Readonly<Record<string, never>>;
  'workspace.create': { readonly label: string; readonly cwd: string; readonly focus: false };
  'workspace.close': { readonly workspace_id: string };
  'layout.apply': { readonly workspace_id: string; readonly root: WireNode };
  'tab.close': { readonly tab_id: string };
}

export type HerdrMethod = keyof HerdrParams;

const Anything = z.looseObject({});

/** What is read of each result; the rest of it is not ours to judge. */
export const RESULTS = {
  ping: z.looseObject({ protocol: z.int(), version: z.string() }),
  'workspace.list': z.looseObject({
    workspaces: z.array(
      z.looseObject({
        workspace_id: z.string(),
        label: z.string(),
        tab_count: z.optional(z.int()),
        pane_count: z.optional(z.int()),
      }),
    ),
  }),
  'workspace.create': z.looseObject({
    workspace: z.looseObject({ workspace_id: z.string() }),
    tab: z.looseObject({ tab_id: z.string() }),
  }),
  'workspace.close': Anything,
  'layout.apply': z.looseObject({ layout: z.looseObject({ tab_id: z.string() }) }),
  'tab.close': Anything,
} as const satisfies Record<HerdrMethod, z.ZodMiniType>;

export type HerdrResult<Method extends HerdrMethod> = z.infer<(typeof RESULTS)[Method]>;

/** The envelope of an answer: one of the two is there. */
export const Answer = z.union([
  z.looseObject({ id: z.string(), result: z.unknown(), error: z.optional(z.undefined()) }),
  z.looseObject({ id: z.string(), error: z.looseObject({ code: z.string(), message: z.string() }) }),
]);

/** Why a request has no result. */
export type HerdrFault =
  /** Nothing was sent: no socket at the path, or nobody behind it. `why` is the system's code. */
  | { readonly code: 'UNREACHABLE'; readonly why: string }
  /**
   * herdr answered with an error of its own, so what was asked for was not done.
   * Its two texts are raw: they may hold controls, and values that the request held.
   */
  | { readonly code: 'REFUSED'; readonly herdrCode: string; readonly message: string }
  /** The connection ended, the time ran out or the answer made no sense: it may have been done or not. */
  | { readonly code: 'UNANSWERED'; readonly why: string };

export type HerdrReply<Method extends HerdrMethod> =
  | { readonly ok: true; readonly result: HerdrResult<Method> }
  | { readonly ok: false; readonly fault: HerdrFault };

/** herdr as a start needs it. Never rejects: whatever happens on the way is a fault. */
export interface Herdr {
  request<Method extends HerdrMethod>(
    method: Method,
    params: HerdrParams[Method],
  ): Promise<HerdrReply<Method>>;
}
