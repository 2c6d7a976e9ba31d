/** Start-up against an empty program in the same run: to the registry entry (ready), and of a command that only tells. */
import { spawnSync } from 'node:child_process';
import { daemonScript } from '../test/support/world.ts';
import { median, print, within } from './measure.ts';

const rounds = 21;

await within(async (world) => {
  const timed = (args: readonly string[]): number => {
    const began = performance.now();
    spawnSync(process.execPath, args, { env: world.env, stdio: 'ignore' });
    return performance.now() - began;
  };
  const empty: number[] = [];
  const help: number[] = [];
  const ready: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    empty.push(timed(['-e', '0']));
    help.push(timed([daemonScript, '--version']));
    const began = performance.now();
    const bridge = await world.daemon(['--log-level', 'silent']);
    ready.push(performance.now() - began);
    await bridge.terminate();
  }
  const ratio = (values: readonly number[]): number => Number((median(values) / median(empty)).toFixed(2));
  print({
    bench: 'bridge.startup.ready',
    ratio: ratio(ready),
    ready_ms: median(ready),
    empty_ms: median(empty),
    aim: '<= 3',
  });
  print({ bench: 'bridge.startup.version', ratio: ratio(help), aim: '<= 1.6' });
});
