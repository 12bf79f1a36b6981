import type { Command } from 'commander';
import type { RestoreFlags } from '../restore.ts';

export function addRestore(program: Command): Command {
  return program
    .command('restore')
    .description(
      'restore a backup into the data folder, which must be empty unless --force is given',
    )
    .argument('<file>', 'a file written by "./tributary backup"')
    .option('--secret <file>', 'the secret of the backup, if it is not in FILE.secret')
    .option('--force', 'move the existing installation aside; nothing is deleted')
    .addHelpText(
      'after',
      '\nExample:\n  ./tributary restore /backups/tributary-monday.db --data /var/lib/tributary',
    )
    .action(async (file: string, flags: RestoreFlags) =>
      (await import('../restore.ts')).restore(file, flags),
    );
}
