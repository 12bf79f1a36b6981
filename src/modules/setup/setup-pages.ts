import type { Reader } from '../../db/database.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type {
  SetupField,
  SetupProblem,
  SetupProps,
  SetupStep,
} from '../../web-contract/page-props.ts';
import { hasAdministrator, PASSWORD_LENGTH_MIN } from '../users/index.ts';
import { languageOf, renderPage } from '../web/index.ts';
import { draftCookie, readDraft } from './setup-draft.ts';
import {
  errorsIn,
  firstTexts,
  storeFields,
  ownTimeZone,
  timeZones,
  type SetupTexts,
} from './setup-fields.ts';

/** All that was typed until now, or suggested. */
export function textsSoFar(site: Site, request: RequestFacts, token: string): SetupTexts {
  return {
    ...firstTexts(site, languageOf(site, request)),
    ...readDraft(site, request, token),
    ...fixedTexts(site),
  };
}

/** Configured values are not part of the form, so sent ones are ignored. */
export function fixedTexts({ settings }: Site): Partial<SetupTexts> {
  const fixed = Object.entries<SettingDefinition>(storeFields)
    .filter(([, setting]) => settings.isFixed(setting))
    .map(([field, setting]) => [field, String(settings.get(setting))]);
  return Object.fromEntries(fixed) as Partial<SetupTexts>;
}

/** The store has no name yet. */
const HEADING = 'Tributary';

interface Shown {
  token: string;
  step: SetupStep;
  texts: SetupTexts;
  errors?: readonly SetupField[];
  problem?: SetupProblem;
  status?: number;
}

/** One page of the form. It keeps what was typed, also if the page is left by its own links. */
export function setupPage(
  site: Site,
  request: RequestFacts,
  { token, step, texts, errors = [], problem, status = 200 }: Shown,
): Promise<HttpResponse<string>> {
  const props: SetupProps = {
    token,
    step,
    texts: { ...texts, password: '' },
    errors: errorsIn(step, errors),
    ...(problem && { problem }),
    fixed: Object.keys(fixedTexts(site)) as SetupField[],
    timeZones,
    isZoneSuggested: texts.timezone === ownTimeZone(),
    passwordLength: PASSWORD_LENGTH_MIN,
  };
  const headers = { 'Cache-Control': 'no-store', ...draftCookie(site, request, token, texts) };
  const options = { heading: HEADING, status, headers, script: 'setup' };
  return renderPage(site, request, 'setup', props, options);
}

/** The link is missing, expired, wrong or used. */
export async function setupOver(
  db: Reader,
  site: Site,
  request: RequestFacts,
): Promise<HttpResponse<string>> {
  const name = (await hasAdministrator(db)) ? 'setup-is-done' : 'setup-without-link';
  return renderPage(site, request, name, {}, { heading: HEADING, status: 410 });
}
