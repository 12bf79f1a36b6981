import type { Command } from 'commander';
import type { ForwardFlags } from '../webhooks.ts';

const RECEIVER = 'http://127.0.0.1:3000/hook';

export function addWebhooks(program: Command): Command[] {
  const webhooks = program.command('webhooks').description('for those who write receivers');
  return [
    webhooks
      .command('listen')
      .description('forward events to a receiver on this machine, signed, as they happen')
      .option('--forward-to <url>', 'the receiver', RECEIVER)
      .option('--events <list>', 'only these, with commas between')
      .option('--after <id>', 'begin with the events after this one; otherwise with new ones')
      .addHelpText(
        'after',
        '\nExample:\n  ./tributary webhooks listen --forward-to http://127.0.0.1:3000/hook',
      )
      .action(async (flags: ForwardFlags) => (await import('../webhooks.ts')).listen(flags)),
    webhooks
      .command('trigger')
      .description('send a sample of an event to a receiver on this machine, signed')
      .argument('<event>', 'its name: payout.paid')
      .option('--forward-to <url>', 'the receiver', RECEIVER)
      .addHelpText('after', '\nExample:\n  ./tributary webhooks trigger payout.paid')
      .action(async (name: string, flags: ForwardFlags) =>
        (await import('../webhooks.ts')).trigger(name, flags),
      ),
  ];
}
