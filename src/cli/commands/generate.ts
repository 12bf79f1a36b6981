import { InvalidArgumentError, type Command } from 'commander';
import type { GenerateFlags } from '../../tools/generate/generate.ts';

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
      (await import('../../tools/generate/generate.ts')).generate(flags),
    );
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
