import { InvalidArgumentError, type Command } from 'commander';
import type { GenerateFlags } from '../../tools/generate/generate.ts';

export function addGenerate(program: Command): Command {
  return program
    .command('generate')
    .description('make up a large store to try things with; the same one every time')
    .requiredOption('--orders <n>', 'how many orders', wholeNumber)
    .option('--coupons <n>', 'how many coupons', wholeNumber, 100)
    .option('--days <n>', 'over how many days, up to today', wholeNumber, 365)
    .option('--add', 'also where there are orders already')
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
