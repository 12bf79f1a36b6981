import { readFileSync } from 'node:fs';
import { ConfigError } from '../installation/config.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../modules/users/index.ts';

/** The first line of a file: a password on the command line would be seen by others. */
export function readPasswordFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`The password file cannot be read: ${(error as Error).message}.`);
  }
  const password = text.split(/\r?\n/)[0]!;
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX) {
    throw new ConfigError(
      `The password in ${file} must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`,
    );
  }
  return password;
}
