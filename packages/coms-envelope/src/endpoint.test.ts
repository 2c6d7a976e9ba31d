/** The bugs these exist to catch: a prompt that points us at another socket; a path the kernel silently shortens. */
import { expect, test } from 'vitest';
import {
  endpointOf,
  isAllowedEndpoint,
  isSessionId,
  socketPathBytesMax,
  socketPathExcess,
} from './endpoint.ts';

const place = { socketsDir: '/home/u/.pi/coms/sockets', platform: 'linux' };

test('the endpoint of a session is its socket, on Windows a pipe [COMS-01 COMS-09]', () => {
  expect(endpointOf('01ABC', place)).toBe('/home/u/.pi/coms/sockets/01ABC.sock');
  expect(endpointOf('01ABC', { ...place, platform: 'win32' })).toBe(String.raw`\\.\pipe\pi-coms-01ABC`);
});

test('only what lies directly inside the sockets folder is connected to [COMS-13]', () => {
  expect(isAllowedEndpoint('/home/u/.pi/coms/sockets/x.sock', place)).toBe(true);
  for (const endpoint of [
    '',
    '/var/run/docker.sock',
    '/home/u/.pi/coms/sockets',
    '/home/u/.pi/coms/sockets/',
    '/home/u/.pi/coms/sockets/.',
    '/home/u/.pi/coms/sockets/..',
    '/home/u/.pi/coms/sockets/../other.sock',
    '/home/u/.pi/coms/sockets/deep/x.sock',
    '/home/u/.pi/coms/sockets-evil/x.sock',
    '/home/u/.pi/coms/sockets/x.sock\0/y',
    'sockets/x.sock',
    String.raw`\\.\pipe\pi-coms-x`,
    'http://127.0.0.1/',
  ]) {
    expect([endpoint, isAllowedEndpoint(endpoint, place)]).toEqual([endpoint, false]);
  }
});

test('on Windows only pipes of the known form are connected to [COMS-01 COMS-13]', () => {
  const windows = { socketsDir: String.raw`C:\Users\u\.pi\coms\sockets`, platform: 'win32' };
  expect(isAllowedEndpoint(String.raw`\\.\pipe\pi-coms-01ABC`, windows)).toBe(true);
  for (const endpoint of [
    String.raw`\\.\pipe\pi-coms-`,
    String.raw`\\.\pipe\docker_engine`,
    String.raw`\\server\pipe\pi-coms-x`,
    String.raw`\\.\pipe\pi-coms-x\y`,
    String.raw`C:\Users\u\.pi\coms\sockets\x.sock`,
  ]) {
    expect([endpoint, isAllowedEndpoint(endpoint, windows)]).toEqual([endpoint, false]);
  }
});

test('the length of a path is measured in bytes and against the platform [COMS-12]', () => {
  expect([socketPathBytesMax('linux'), socketPathBytesMax('darwin')]).toEqual([107, 103]);
  expect(socketPathExcess(`/${'a'.repeat(106)}`, 'linux')).toBeNull();
  expect(socketPathExcess(`/${'a'.repeat(107)}`, 'linux')).toEqual({ bytes: 108, bytesMax: 107 });
  expect(socketPathExcess(`/${'ї'.repeat(53)}`, 'linux')).toBeNull();
  expect(socketPathExcess(`/${'ї'.repeat(54)}`, 'linux')).toEqual({ bytes: 109, bytesMax: 107 });
  expect(socketPathExcess('x'.repeat(200), 'win32')).toBeNull();
});

test('a session id that could leave the folder is none', () => {
  expect(isSessionId('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe(true);
  for (const session of ['', '..', '../x', 'a/b', '.hidden', 'a\n', 'x'.repeat(129)]) {
    expect([session, isSessionId(session)]).toEqual([session, false]);
  }
});
