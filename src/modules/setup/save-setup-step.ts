import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { setupSteps, type SetupStep } from '../../web-contract/page-props.ts';
import { hasAdministrator } from '../users/index.ts';
import { draftCookie } from './setup-draft.ts';
import { cleaned, errorsIn, readSetup, setupInput } from './setup-fields.ts';
import { isValidSetupToken } from './setup-link.ts';
import { fixedTexts, setupOver, setupPage, textsSoFar } from './setup-pages.ts';
import { isStep } from './show-setup.ts';

export const saveSetupStep = operation({
  method: 'POST',
  namespace: 'site',
  path: '/setup/step',
  summary: 'Check a page of the setup and go to the next one',
  description:
    'Stores nothing: what was typed is kept in a cookie of the browser until the last page.',
  access: 'public',
  scope: null,
  body: Type.Object({
    step: Type.String({ default: 'store', maxLength: 20 }),
    go: Type.String({ default: 'on', maxLength: 10 }),
    ...setupInput,
  }),
  status: 303,
  otherStatus: 410,
  response: Type.String(),
  errors: [generalErrors.invalidParam],
  transaction: false,
  async handle({ db, site, request }, { token, step: given, go, ...typed }) {
    const isOpen = !(await hasAdministrator(db)) && (await isValidSetupToken(db, site, token));
    if (!isOpen) return setupOver(db, site, request);
    const step = isStep(given) ? given : 'store';
    const soFar = textsSoFar(site, request, token);
    const texts = { ...soFar, ...cleaned(typed), ...fixedTexts(site) };
    const read = readSetup(site, texts);
    const errors = 'errors' in read ? errorsIn(step, read.errors) : [];
    if (errors.length > 0 && go !== 'back') {
      return setupPage(site, request, { token, step, texts, errors, status: 400 });
    }
    const next = neighbour(step, go === 'back' ? -1 : 1);
    const query = new URLSearchParams({ token, step: next });
    return new HttpResponse('', {
      status: 303,
      headers: {
        Location: `/setup?${query.toString()}`,
        'Cache-Control': 'no-store',
        ...draftCookie(site, request, token, texts),
      },
    });
  },
});

/** The step before or after; at either end, the step itself. */
function neighbour(step: SetupStep, by: 1 | -1): SetupStep {
  const names = Object.keys(setupSteps) as SetupStep[];
  return names[names.indexOf(step) + by] ?? step;
}
