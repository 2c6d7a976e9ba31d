// A peer in a process of its own, for tests: argument { root, name, onTakenName?, limits?, hold? }.
import { listen, openComs } from '../dist/node/index.js';

const { root, hold = true, ...options } = JSON.parse(process.argv[2] ?? '{}');
const opened = openComs({ root });
if (!opened.ok) throw new Error(opened.message);
const peer = await listen({
  coms: opened.coms,
  handlers: { prompt: () => ({ ok: true }) },
  ...options,
});
const { ok, name, code, message, endpoint, sessionId } = peer;
process.stdout.write(
  `${JSON.stringify({ ok, name, code, message, endpoint, sessionId, pid: process.pid })}\n`,
);
if (ok && !hold) await peer.close();
