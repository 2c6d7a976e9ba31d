// Opens silent connections to a socket, for tests: arguments <endpoint> <count>. Prints how many are open on each line
// of stdin, and ends with it.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [endpoint = '', count = '0'] = process.argv.slice(2);
let open = 0;
await Promise.all(
  Array.from(
    { length: Number(count) },
    () =>
      new Promise((resolve) => {
        const socket = connect({ path: endpoint });
        socket.once('connect', () => {
          open += 1;
          socket.write('{"type":"pi');
          socket.once('close', () => (open -= 1));
          resolve(undefined);
        });
        socket.on('error', () => resolve(undefined));
      }),
  ),
);
process.stdout.write('ready\n');
const lines = createInterface({ input: process.stdin });
lines.on('line', () => process.stdout.write(`${open}\n`));
lines.on('close', () => process.exit(0));
