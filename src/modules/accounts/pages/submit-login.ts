import Type from 'typebox';
import type { Transaction } from '../../../db/database.ts';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { operation, type Context } from '../../../kernel/declare/operation.ts';
import { signIn } from '../../sessions/index.ts';
import { PASSWORD_LENGTH_MAX } from '../../users/index.ts';
import { renderPage } from '../../web/index.ts';
import { field, goTo, ownPath, refuseOtherPages } from './form.ts';

interface LoginForm {
  login: string;
  password: string;
  next: string;
  sign_in_token: string;
  code: string;
}

export const submitLogin = operation({
  method: 'POST',
  namespace: 'site',
  path: '/app/login',
  summary: 'Sign in by form',
  access: 'public',
  scope: null,
  body: Type.Object({
    login: field,
    password: field,
    next: field,
    sign_in_token: field,
    code: field,
  }),
  status: 303,
  otherStatus: 401,
  response: Type.String(),
  signsIn: true,
  // It runs the operation that signs in, which opens its own transaction.
  transaction: false,
  async handle(context, form) {
    refuseOtherPages(context.request);
    const isSecondStep = form.sign_in_token !== '';
    try {
      const response = await signIn.handle(
        context,
        isSecondStep ? secondStep(form) : firstStep(form),
      );
      const cookies = response instanceof HttpResponse ? response.headers['Set-Cookie'] : undefined;
      return goTo(ownPath(context.site, form.next), [cookies ?? []].flat());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const token = error.data['sign_in_token'];
      if (typeof token === 'string') return showSecondStep(context, form, token, {});
      const fault = faultOf(error);
      const seconds = Number(error.data['retry_after'] ?? 0);
      return isSecondStep && error.definition.status === 401 && fault === 'wrong'
        ? showSecondStep(context, form, form.sign_in_token, { fault: 'wrong' })
        : showForm(context, form, { fault, seconds }, error.definition.status);
    }
  },
});

function firstStep({ login, password }: LoginForm): Record<string, unknown> {
  // Longer ones are wrong in any case, and empty ones too.
  return { login: login.trim().slice(0, 254), password: password.slice(0, PASSWORD_LENGTH_MAX) };
}

function secondStep({ sign_in_token, code }: LoginForm): Record<string, unknown> {
  return { sign_in_token, code: code.replaceAll(/\s/g, '').slice(0, 40) };
}

function faultOf({ definition: { status } }: ApiError): 'wrong' | 'wait' | 'failed' {
  if (status === 401) return 'wrong';
  return status === 429 || status === 503 ? 'wait' : 'failed';
}

type LoginContext = Context<Transaction>;

function showForm(
  { site, request }: LoginContext,
  { next, login }: LoginForm,
  problem: { fault: 'wrong' | 'wait' | 'failed'; seconds: number },
  status: number,
) {
  const props = {
    next: ownPath(site, next),
    login: login.slice(0, 254),
    ...problem,
  };
  return renderPage(site, request, 'login', props, { status, headers });
}

function showSecondStep(
  { site, request }: LoginContext,
  { next }: LoginForm,
  token: string,
  problem: { fault?: 'wrong' },
) {
  const props = { next: ownPath(site, next), token, ...problem };
  // Without a wrong code it is no failure, and must not count as one.
  const status = problem.fault ? 401 : 200;
  return renderPage(site, request, 'second-step', props, { status, headers });
}

const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };
