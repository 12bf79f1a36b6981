import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addBackup(program: Command): Command {
  return program
    .command('backup')
    .description('write a complete copy of the database, and of its secret, while the service runs')
    .argument('<file>', 'the file to write; it must not exist')
    .addHelpText('after', '\nExample:\n  ./tributary backup /backups/tributary-monday.db')
    .action(async (file: string, flags: Flags) =>
      (await import('../backup.ts')).backup(file, flags),
    );
}
