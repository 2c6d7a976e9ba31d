// A peer that answers every prompt with its own words: `coms serve` brings prompts in as JSON lines and takes the
// replies as JSON lines. Any program in any language can do the same.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const serve = spawn(process.env.COMS ?? 'coms', ['serve', '--name', 'echo', '--purpose', 'says it again'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
serve.on('error', (error) => {
  console.error(`coms cannot be started (${error.message}): put it on the PATH, or its path into COMS`);
  process.exit(1);
});
createInterface({ input: serve.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'prompt') {
    serve.stdin.write(`${JSON.stringify({ msg_id: message.msg_id, response: message.prompt })}\n`);
  }
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => serve.kill(signal));
serve.on('exit', (code) => process.exit(code ?? 1));
