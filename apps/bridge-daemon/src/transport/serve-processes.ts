/** The program of the process that starts programs; the daemon's one file carries its text. */
import { serveProcesses } from './process-worker.ts';

serveProcesses();
