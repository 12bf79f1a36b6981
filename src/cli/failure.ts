import { CommanderError } from 'commander';
import { ConfigError } from '../installation/config.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { CommandError, exitCodes } from '../kernel/declare/command.ts';
import { ApiError } from '../kernel/declare/errors.ts';

/** Prints the failure and returns the exit code. */
export function reportFailure(error: unknown, asJson: boolean): number {
  // Commander has printed it already.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const code = exitCodeOf(error);
  if (asJson && error instanceof ApiError) console.error(JSON.stringify(error.toBody()));
  else console.error(`tributary: ${describe(error)}`);
  return code;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError) return exitCodes.usage;
  if (!(error instanceof ApiError)) return exitCodes.failed;
  const { status } = error.definition;
  if (status === 400) return exitCodes.usage;
  return status === 404 ? exitCodes.notFound : exitCodes.refused;
}

function describe(error: unknown): string {
  if (error instanceof ApiError) {
    const params = error.data['params'];
    const details =
      params && !Array.isArray(params)
        ? Object.entries(params).map(([name, reason]) => `\n  ${name}: ${reason}`)
        : [];
    return error.message + details.join('');
  }
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  if (error instanceof DatabaseUnavailable) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
