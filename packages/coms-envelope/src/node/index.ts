/**
 * coms on this machine: the folder, the registry, peers that listen, and clients.
 */
export { openComs, makeFolder, type Coms, type ComsOptions, type FolderRefusal } from './coms-folder.ts';
export { homeFolder } from './home-folder.ts';
export { makeFolders } from './make-folders.ts';
export { listen, type ListenOptions, type ListenRefusal } from './listen.ts';
export type { ListeningPeer, PromptBody } from './peer.ts';
export type { CardDetails, PeerFault, PeerHandlers } from './handlers.ts';
export type { NameHolder } from './claim.ts';
export type { BindRefusal } from './socket-server.ts';
export { send, type SendFailure, type SendOptions, type SendOutcome } from './send.ts';
export type { RequestOptions, RequestOutcome } from './request.ts';
export {
  ping,
  responseTo,
  sendCancel,
  sendResponse,
  type PingOutcome,
  type ResponseBody,
  type SenderOfResponse,
} from './respond.ts';
export {
  findPeer,
  listPeers,
  listProjects,
  lookUp,
  type EntryLookup,
  type Listing,
  type Peer,
  type PeerLookup,
  type RegistryWarning,
} from './registry.ts';
export { judgeEndpoint, probe, type EndpointJudgement, type ProbeResult } from './probe.ts';
export { isSameSender, newestEndpoint, senderOf, type SenderIdentity } from './sender.ts';
export { readSmallFile, removeFile, replaceFile, type FileReading } from './safe-file.ts';
export { setLongTimer, type LongTimer } from './long-timer.ts';
