import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { programPictureOf } from '../brand/index.ts';
import { openApiPublic, showReference } from '../reference/index.ts';
import { registrationsOpen, showApplicationForm } from '../registrations/index.ts';
import { storeUrl } from '../store-profile/index.ts';
import { hasAdministrator } from '../users/index.ts';
import { languageOf, renderPageOnce } from '../web/index.ts';
import { programTerms } from './program-terms.ts';
import { publicRewards } from './public-rewards.ts';
import { programHeadline, programPictureText, programSections, programText } from './settings.ts';

export const showProgram = operation({
  method: 'GET',
  namespace: 'site',
  path: '/',
  summary: 'Show the program page',
  access: 'public',
  scope: null,
  response: Type.String(),
  async handle({ db, site, request, nowMs }) {
    if (!(await isSetUp(db, site)))
      return renderPageOnce(site, request, 'not-set-up', () => ({}), { heading: 'Tributary' });
    const rewards = await publicRewards(db, site, languageOf(site, request), nowMs);
    const page = () => ({ ...programOf(site), ...rewards });
    return renderPageOnce(site, request, 'program', page, { content: rewards });
  },
});

const known = perSite(() => ({ isSetUp: false }));

/** There is always an administrator once there has been one, so a set-up service is asked once only. */
async function isSetUp(db: Reader, site: Site): Promise<boolean> {
  const state = known(site);
  state.isSetUp ||= await hasAdministrator(db);
  return state.isSetUp;
}

function programOf(site: Site) {
  const { settings, registry } = site;
  const store = settings.get(storeUrl);
  return {
    headline: settings.get(programHeadline),
    text: settings.get(programText),
    sections: settings.get(programSections),
    picture: pictureOf(site),
    terms: programTerms(site),
    isOpen: settings.get(registrationsOpen) && registry.isActive(showApplicationForm),
    storeUrl: store === storeUrl.default ? undefined : store,
    hasReference: settings.get(openApiPublic) && registry.isActive(showReference),
  };
}

function pictureOf(site: Site) {
  const picture = programPictureOf(site);
  return picture && { ...picture, text: site.settings.get(programPictureText) };
}
