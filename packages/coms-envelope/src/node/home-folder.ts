/** The folder of this user, below which everything is kept unless a variable or a flag moves it. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * `HOME` where it is a whole path, else what the system says of this user. An empty `HOME`, as some service managers
 * set it, would otherwise make a registry of its own in each working folder. Throws where the system knows no user.
 */
export function homeFolder(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}
