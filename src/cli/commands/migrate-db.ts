import type { Command } from 'commander';
import type { MoveFlags } from '../migrate-db.ts';

export function addMigrateDb(program: Command): Command {
  return program
    .command('migrate-db')
    .description('copy the installation from its file to an empty database on a server')
    .option('--to <url>', 'the target; default: DATABASE_URL')
    .option(
      '--back',
      'use the file again; changes made on the server since the move are not copied back',
    )
    .addHelpText(
      'after',
      '\nStop the service first. Run again, it goes on where it was interrupted.\n' +
        '\nExample:\n  ./tributary migrate-db --to URL',
    )
    .action(async (flags: MoveFlags) => (await import('../migrate-db.ts')).migrateDb(flags));
}
