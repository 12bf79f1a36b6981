import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { setupSteps, type SetupStep } from '../../web-contract/page-props.ts';
import { hasAdministrator } from '../users/index.ts';
import { isValidSetupToken } from './setup-link.ts';
import { setupOver, setupPage, textsSoFar } from './setup-pages.ts';

export const showSetup = operation({
  method: 'GET',
  namespace: 'site',
  path: '/setup',
  summary: 'Show a page of the setup',
  access: 'public',
  scope: null,
  query: Type.Object({
    token: Type.String({ default: '', maxLength: 100 }),
    step: Type.String({ default: 'store', maxLength: 20 }),
  }),
  otherStatus: 410,
  response: Type.String(),
  async handle({ db, site, request }, { token, step }) {
    const isOpen = !(await hasAdministrator(db)) && token !== '';
    if (!isOpen || !(await isValidSetupToken(db, site, token))) return setupOver(db, site, request);
    const texts = textsSoFar(site, request, token);
    return setupPage(site, request, { token, step: isStep(step) ? step : 'store', texts });
  },
});

export function isStep(name: string): name is SetupStep {
  return Object.hasOwn(setupSteps, name);
}
