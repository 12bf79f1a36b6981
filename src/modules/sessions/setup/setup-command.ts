import { hasAdministrator } from '../../users/index.ts';
import { createSetupLink } from './setup-link.ts';
import { CommandError } from '../../../kernel/declare/command.ts';
import type { CommandContext } from '../../../kernel/declare/command.ts';

export async function printSetupLink({ withSite, print }: CommandContext): Promise<void> {
  await withSite(async (site) => {
    if (await hasAdministrator(site.database.read)) {
      throw new CommandError(
        'refused',
        'There is an administrator already. Another one: ./tributary admin create --login LOGIN --email EMAIL',
      );
    }
    const link = await createSetupLink(site);
    print({ setup_link: link }, () =>
      [`Open this link within 30 minutes, while the service runs:`, '', link].join('\n'),
    );
  });
}
