import { defineCommand, type CommandGroup } from '../../src/kernel/declare/command.ts';
import type { ForwardFlags } from './forward/forward-command.ts';

const forwardTo = {
  flags: '--forward-to <url>',
  help: 'the receiver',
  default: 'http://127.0.0.1:3000/hook',
};

export const webhookCommands: CommandGroup = {
  name: 'webhooks',
  description: 'tools for writing webhook receivers',
  commands: [
    defineCommand<ForwardFlags>({
      name: 'listen',
      description: 'forward events to a receiver on this machine, signed, as they happen',
      options: [
        forwardTo,
        { flags: '--events <list>', help: 'only these events, separated by commas' },
        {
          flags: '--after <id>',
          help: 'start after this event; default: new events only',
        },
      ],
      notes: 'Example:\n  ./tributary webhooks listen --forward-to http://127.0.0.1:3000/hook',
      run: async (context, flags) =>
        (await import('./forward/forward-command.ts')).listen(context, flags),
    }),
    defineCommand<ForwardFlags, [event: string]>({
      name: 'trigger',
      description: 'send a sample of an event to a receiver on this machine, signed',
      arguments: [{ name: '<event>', help: 'its name: payout.paid' }],
      options: [forwardTo],
      notes: 'Example:\n  ./tributary webhooks trigger payout.paid',
      run: async (context, flags, event) =>
        (await import('./forward/forward-command.ts')).trigger(context, event, flags),
    }),
  ],
};
