import { readFileSync } from 'node:fs';
import { CommandError } from '../../kernel/declare/command.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts';

/** Reads the password from the first line of a file: the command line is visible to other users. */
export function readPasswordFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // `readFileSync` throws errors of the system.
    throw new CommandError(
      'usage',
      `The password file cannot be read: ${(error as Error).message}.`,
    );
  }
  const password = text.split(/\r?\n/)[0]!;
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX) {
    throw new CommandError(
      'usage',
      `The password in ${file} must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`,
    );
  }
  return password;
}
