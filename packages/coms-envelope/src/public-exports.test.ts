/** Pins of the two doors of this package: what a team may import, and that the pure one needs no Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as pure from './index.ts';
import * as node from './node/index.ts';
import * as registry from './node/registry-index.ts';

test('the values exported by the pure root', () => {
  expect(Object.keys(pure).toSorted()).toEqual([
    'accepted',
    'ackSchema',
    'cancelSchema',
    'clockLeadMsMax',
    'createEnvelopeReader',
    'createInbox',
    'createLineReader',
    'createReplyReader',
    'defaultLimits',
    'encodeLine',
    'endpointOf',
    'entryBytesMax',
    'entrySchema',
    'heartbeatAgeMsMax',
    'isAllowedEndpoint',
    'isLive',
    'isPeerName',
    'isProjectName',
    'isSessionId',
    'nackSchema',
    'nameCandidate',
    'pingSchema',
    'pongSchema',
    'promptDetails',
    'promptSchema',
    'readEntry',
    'readPromptText',
    'readSettings',
    'responseError',
    'responseSchema',
    'socketPathBytesMax',
    'socketPathExcess',
    'writeQuestion',
  ]);
});

test('the values exported by ./node', () => {
  expect(Object.keys(node).toSorted()).toEqual([
    'findPeer',
    'homeFolder',
    'isSameSender',
    'judgeEndpoint',
    'listPeers',
    'listProjects',
    'listen',
    'lookUp',
    'makeFolder',
    'makeFolders',
    'newestEndpoint',
    'openComs',
    'ping',
    'probe',
    'readSmallFile',
    'removeFile',
    'replaceFile',
    'responseTo',
    'send',
    'sendCancel',
    'sendResponse',
    'senderOf',
    'setLongTimer',
  ]);
});

test('the values exported by ./registry, all of which ./node has, too', () => {
  expect(Object.keys(registry).toSorted()).toEqual(['findPeer', 'listPeers', 'listProjects', 'openComs']);
  expect(node).toMatchObject(registry);
});

test('no file of the pure root imports Node, or from ./node', () => {
  const src = import.meta.dirname;
  const files = readdirSync(src).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    expect([file, /from '(node:|\.\/node\/)/.test(readFileSync(join(src, file), 'utf8'))]).toEqual([
      file,
      false,
    ]);
  }
});
