import { type Command, Option, InvalidArgumentError } from 'commander';
import type { GenerateFlags } from '../tools/generate/generate.ts';
import type { MoveFlags } from './migrate-db.ts';
import type { OpenApiFlags } from './openapi.ts';
import type { RestoreFlags } from './restore.ts';
import type { Flags } from './with-site.ts';
import { keepYoungGenerationSmall } from './young-generation.ts';

export function addStart(program: Command): Command {
  return program
    .command('start')
    .description('run the service')
    .addHelpText('after', '\nExample:\n  ./tributary start --port 9443 --timezone Europe/Berlin')
    .action(async (flags: Flags) => {
      keepYoungGenerationSmall();
      await (await import('./start.ts')).start(flags);
    });
}

export function addWorker(program: Command): Command {
  return program
    .command('worker')
    .description('run only the background jobs: webhooks, emails, payouts')
    .addHelpText(
      'after',
      '\nExample:\n  ./tributary worker\n\nA server does this automatically unless it is started with --worker off.',
    )
    .action(async (flags: Flags) => {
      keepYoungGenerationSmall();
      await (await import('./worker.ts')).work(flags);
    });
}

export function addDemo(program: Command): Command {
  return program
    .command('demo')
    .description('run the service with sample data, recreated each time (in ./demo-data)')
    .addHelpText('after', '\nExample:\n  ./tributary demo --port 9443')
    .action(async (flags: Flags) => (await import('../tools/demo/demo.ts')).demo(flags));
}

export function addConfig(program: Command): Command {
  return program
    .command('config')
    .description('show every configuration value and where it comes from')
    .addHelpText('after', '\nExample:\n  ./tributary config --port 9443')
    .action(async (flags: Flags) => (await import('./config.ts')).showConfig(flags));
}

export function addOpenApi(program: Command): Command {
  return program
    .command('openapi')
    .description('print the OpenAPI document, as served by GET /openapi')
    .addOption(new Option('--api <name>', 'which one').choices(['v2', 'store']).default('v2'))
    .addHelpText('after', '\nExample:\n  ./tributary openapi --api store > openapi.json')
    .action(async (flags: OpenApiFlags) => (await import('./openapi.ts')).printOpenApi(flags));
}

export function addBackup(program: Command): Command {
  return program
    .command('backup')
    .description('write a complete copy of the database, and of its secret, while the service runs')
    .argument('<file>', 'the file to write; it must not exist')
    .addHelpText('after', '\nExample:\n  ./tributary backup /backups/tributary-monday.db')
    .action(async (file: string, flags: Flags) =>
      (await import('./backup.ts')).backup(file, flags),
    );
}

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
      (await import('./restore.ts')).restore(file, flags),
    );
}

export function addVerify(program: Command): Command {
  return program
    .command('verify')
    .description('recompute every balance from the ledger and compare')
    .addHelpText('after', '\nExample:\n  ./tributary verify')
    .action(async (flags: Flags) => (await import('./verify.ts')).verify(flags));
}

export function addGenerate(program: Command): Command {
  return program
    .command('generate')
    .description('generate a large sample store; the data is the same every time')
    .requiredOption('--orders <n>', 'number of orders', wholeNumber)
    .option('--coupons <n>', 'number of coupons', wholeNumber, 100)
    .option('--days <n>', 'number of days up to today', wholeNumber, 365)
    .option('--add', 'add to existing orders')
    .addHelpText(
      'after',
      '\nExample:\n  ./tributary generate --orders 100000 --coupons 1000 --data ./big',
    )
    .action(async (flags: GenerateFlags) =>
      (await import('../tools/generate/generate.ts')).generate(flags),
    );
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}

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
    .action(async (flags: MoveFlags) => (await import('./migrate-db.ts')).migrateDb(flags));
}
