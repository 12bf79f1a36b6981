import { defineCommand, type CommandGroup } from '../../src/kernel/declare/command.ts';
import type { DecideFlags, ListFlags } from './cases/case-command.ts';

const load = () => import('./cases/case-command.ts');

const id = { name: '<id>', help: 'the number of the case' };

export const caseCommands: CommandGroup = {
  name: 'cases',
  description: 'suspicious commission to decide',
  commands: [
    defineCommand<ListFlags>({
      name: 'list',
      description: 'list the cases, those that are open longest first',
      options: [
        {
          flags: '--state <state>',
          help: 'open or decided ones',
          default: 'open',
          choices: ['open', 'decided'],
        },
        { flags: '--rule <name>', help: 'only cases that this rule opened' },
        { flags: '--affiliate <id>', help: 'only cases about this affiliate' },
      ],
      notes: 'Example:\n  ./tributary cases list --rule banned_referrers',
      run: async (context, flags) => (await load()).list(context, flags),
    }),
    defineCommand<object, [id: string]>({
      name: 'show',
      description: 'show a case: what was found, what it holds, and its history',
      arguments: [id],
      notes: 'Example:\n  ./tributary cases show 9',
      run: async (context, _flags, number) => (await load()).show(context, number),
    }),
    defineCommand<DecideFlags, [id: string, decision: string]>({
      name: 'decide',
      description: 'decide a case; the decision can be undone in the console for 30 days',
      arguments: [id, { name: '<decision>', help: 'clear, reject or suspend' }],
      options: [
        { flags: '--note <text>', help: 'why' },
        { flags: '--quiet', help: 'the affiliate gets no email and does not read the note' },
      ],
      notes: 'Example:\n  ./tributary cases decide 9 clear --note "They are colleagues."',
      run: async (context, flags, number, decision) =>
        (await load()).decide(context, number, decision, flags),
    }),
  ],
};
