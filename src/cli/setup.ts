import { createSetupLink } from '../modules/sessions/index.ts';
import { hasAdministrator } from '../modules/users/index.ts';
import { CommandError } from './failure.ts';
import { print } from './output.ts';
import { withSite, type Flags } from './with-site.ts';

export async function printSetupLink(flags: Flags): Promise<void> {
  await withSite(flags, async (site) => {
    if (await hasAdministrator(site.database.read)) {
      throw new CommandError(
        'refused',
        'There is an administrator already. Another one: ./tributary admin create --login LOGIN --email EMAIL',
      );
    }
    const link = await createSetupLink(site);
    print(flags.json, { setup_link: link }, () =>
      [`Open this link within 30 minutes, while the service runs:`, '', link].join('\n'),
    );
  });
}
