import type { Command } from 'commander';
import type { MoveFlags } from '../migrate-db.ts';

export function addMigrateDb(program: Command): Command {
  return program
    .command('migrate-db')
    .description('move an installation from its file into an empty database on a server')
    .option('--to <url>', 'where to; DATABASE_URL when it is not said')
    .option(
      '--back',
      'use the file again after a move, without what was changed on the server since',
    )
    .addHelpText(
      'after',
      '\nStop the service first. Run again, it goes on where it was interrupted.\n' +
        '\nExample:\n  ./tributary migrate-db --to URL',
    )
    .action(async (flags: MoveFlags) => (await import('../migrate-db.ts')).migrateDb(flags));
}
