/**
 * Who is there, without the code of sockets: for commands whose start-up counts. Everything here is in `./node`, too.
 */
export { openComs, type Coms, type ComsOptions, type FolderRefusal } from './coms-folder.ts';
export { findPeer, listPeers, listProjects, type Listing, type Peer, type PeerLookup } from './registry.ts';
