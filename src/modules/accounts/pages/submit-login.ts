import Type from 'typebox';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { secondStepMethods, signIn, type SecondStepMethod } from '../../sessions/index.ts';
import { PASSWORD_LENGTH_MAX } from '../../users/index.ts';
import { field, goTo, landingOf, refuseOtherPages } from './form.ts';
import { loginPage, secondStepPage } from './sign-in-page.ts';

interface LoginForm {
  login: string;
  password: string;
  next: string;
  sign_in_token: string;
  code: string;
  /** Of the page of the second step, which shows them again. */
  methods: string;
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
    methods: field,
  }),
  status: 303,
  // 200 is the page of the second step, 401 the form again.
  otherStatus: [200, 401],
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
      const { body, headers } =
        response instanceof HttpResponse ? response : new HttpResponse(response);
      const role = typeof body === 'object' && 'role' in body ? body.role : 'customer';
      const cookies = [headers['Set-Cookie'] ?? []].flat();
      return goTo(landingOf(context.site, role, form.next), cookies);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { site, request } = context;
      const { next } = form;
      const token = error.data['sign_in_token'];
      if (typeof token === 'string') {
        const methods = methodsIn(error.data['methods']);
        return secondStepPage(site, request, { next, token, methods });
      }
      const fault = faultOf(error);
      if (isSecondStep && fault === 'wrong') {
        const methods = methodsIn(form.methods.split(' '));
        const props = { next, token: form.sign_in_token, methods, fault };
        return secondStepPage(site, request, props);
      }
      const login = form.login.slice(0, 254);
      const seconds = Number(error.data['retry_after'] ?? 0);
      const props = { next, login, fault, seconds };
      return loginPage(site, request, props, error.definition.status);
    }
  },
});

function firstStep({ login, password }: LoginForm): Record<string, unknown> {
  // A longer login is wrong in any case, and so is a password with one character more than any can have.
  const longest = PASSWORD_LENGTH_MAX + 1;
  return { login: login.trim().slice(0, 254), password: password.slice(0, longest) };
}

function secondStep({ sign_in_token, code }: LoginForm): Record<string, unknown> {
  return { sign_in_token, code: code.replaceAll(/\s/g, '').slice(0, 40) };
}

function faultOf({ definition: { status } }: ApiError): 'wrong' | 'wait' | 'failed' {
  if (status === 401) return 'wrong';
  return status === 429 || status === 503 ? 'wait' : 'failed';
}

function methodsIn(names: unknown): SecondStepMethod[] {
  return Array.isArray(names) ? secondStepMethods.filter((method) => names.includes(method)) : [];
}
