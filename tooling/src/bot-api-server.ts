/**
 * The Bot API test server as a process of its own. Prints one line of JSON, `{"root":…,"control":…,"tokens":[…]}`, and
 * runs until it is ended: `npx tsx tooling/src/bot-api-server.ts [--port n] [--bots n]`. bot-api/control.ts holds the orders.
 */
import { parseArgs } from 'node:util';
import { startBotApi } from './bot-api/server.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, bots: { type: 'string', default: '1' } },
});
const api = await startBotApi({ port: Number(values.port) });
for (let bots = 1; bots < Number(values.bots); bots += 1) api.addBot();
const tokens = api.bots.map(({ token }) => token);
process.stdout.write(`${JSON.stringify({ root: api.root, control: `${api.root}/control`, tokens })}\n`);
