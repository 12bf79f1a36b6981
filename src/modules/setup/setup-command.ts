import { CommandError } from '../../kernel/declare/command.ts';
import type { CommandContext } from '../../kernel/declare/command.ts';
import { webEnabled } from '../store-profile/index.ts';
import { hasAdministrator } from '../users/index.ts';
import { createSetupLink } from './setup-link.ts';

export async function printSetupLink({ withSite, print }: CommandContext): Promise<void> {
  await withSite(async (site) => {
    if (await hasAdministrator(site.database.read)) {
      throw new CommandError(
        'refused',
        'There is already an administrator. To add another: ./tributary admin create --login LOGIN --email EMAIL',
      );
    }
    if (!site.settings.get(webEnabled)) {
      throw new CommandError(
        'refused',
        'No setup page is served, because the web app is off. Create the first administrator: ./tributary admin create --login LOGIN --email EMAIL',
      );
    }
    const link = await createSetupLink(site);
    print({ setup_link: link }, () =>
      [`Open this link within 30 minutes, while the service runs:`, '', link].join('\n'),
    );
  });
}
