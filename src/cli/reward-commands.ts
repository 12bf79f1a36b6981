import { defineCommand, type CommandGroup } from '../kernel/declare/command.ts';
import type { TestFlags } from './rewards.ts';

const load = () => import('./rewards.ts');

/** Here and not in a module: orders use the rules, so the rules cannot use orders. */
export const rewardCommands: CommandGroup = {
  name: 'rewards',
  description: 'rules by which orders earn commission',
  commands: [
    defineCommand({
      name: 'list',
      description: 'list the rules as sentences, in the order in which they are asked',
      notes: 'Example:\n  ./tributary rewards list',
      run: async (context) => (await load()).list(context),
    }),
    defineCommand<TestFlags>({
      name: 'test',
      description: 'show what an order would earn, and by which rule; nothing is stored',
      options: [
        { flags: '--total <amount>', help: 'the amount of the goods', isRequired: true },
        { flags: '--codes <list>', help: 'the coupons used, separated by commas', default: '' },
        { flags: '--referral <code>', help: 'the coupon of the link that led to the order' },
        {
          flags: '--products <list>',
          help: 'the goods as id=amount, separated by commas',
          default: '',
        },
        { flags: '--categories <list>', help: 'categories of all these goods', default: '' },
        { flags: '--tags <list>', help: 'tags of all these goods', default: '' },
        { flags: '--country <code>', help: 'the country, two letters' },
      ],
      notes:
        'Example:\n  ./tributary rewards test --total 80 --codes MAYA10 --products 12=50,15=30 --categories candles',
      run: async (context, flags) => (await load()).test(context, flags),
    }),
  ],
};
