import type { Command } from 'commander';
import type { RestoreFlags } from '../restore.ts';

export function addRestore(program: Command): Command {
  return program
    .command('restore')
    .description('put a backup into the data folder, which must be empty or given up with --force')
    .argument('<file>', 'what "./tributary backup" has written')
    .option('--secret <file>', 'its secret, where that is not beside it as FILE.secret')
    .option('--force', 'move the installation that is there aside; nothing of it is deleted')
    .addHelpText(
      'after',
      '\nExample:\n  ./tributary restore /backups/tributary-monday.db --data /var/lib/tributary',
    )
    .action(async (file: string, flags: RestoreFlags) =>
      (await import('../restore.ts')).restore(file, flags),
    );
}
