/** Reading a record file without trusting what lies at its path. */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { readRecord, type RecordReading } from '@x/bridge';

/** Records of a daemon's own are far below this; a larger file is damaged. */
const recordBytesMax = 16_777_216;

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** What the file at `path` holds; null where there is none. Never throws. */
export const readRecordFile = (path: string, uid: number | null): RecordReading | null => {
  // Most searches find nothing: that must not cost an exception, nor a look at more than the name.
  if (!existsSync(path)) return null;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    return { code: 'damaged', detail: `cannot be opened (${errorCode(error)})` };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { code: 'damaged', detail: 'is not a regular file' };
    if (uid !== null && stats.uid !== uid) return { code: 'damaged', detail: 'belongs to another user' };
    if (stats.size > recordBytesMax) return { code: 'damaged', detail: `has ${stats.size} bytes` };
    return readRecord(readFileSync(fd, 'utf8'));
  } catch (error) {
    return { code: 'damaged', detail: `cannot be read (${errorCode(error)})` };
  } finally {
    closeSync(fd);
  }
};
