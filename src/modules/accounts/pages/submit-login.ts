import Type from 'typebox';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import {
  secondStepMethods,
  signInUser,
  type Identification,
  type SecondStepMethod,
} from '../../sessions/index.ts';
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
  // Verifying a password is slow, so it runs before the transaction.
  transaction: false,
  async handle({ site, request }, form) {
    refuseOtherPages(request);
    const isSecondStep = form.sign_in_token !== '';
    try {
      const given = isSecondStep ? secondStep(form) : firstStep(form);
      const { user, cookies } = await signInUser(site, given, request);
      return goTo(landingOf(site, user.role, form.next), cookies);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { next } = form;
      const token = error.data['sign_in_token'];
      if (typeof token === 'string') {
        const methods = methodsIn(error.data['methods']);
        return secondStepPage(site, request, { next, token, methods });
      }
      const reason = reasonOf(error);
      if (isSecondStep && reason === 'wrong') {
        const methods = methodsIn(form.methods.split(' '));
        const props = { next, token: form.sign_in_token, methods, error: reason };
        return secondStepPage(site, request, props);
      }
      const login = form.login.slice(0, 254);
      const seconds = Number(error.data['retry_after'] ?? 0);
      const props = { next, login, error: reason, seconds };
      return loginPage(site, request, props, error.definition.status);
    }
  },
});

function firstStep({ login, password }: LoginForm): Identification {
  // A longer login is wrong in any case, and so is a password with one character more than any can have.
  const longest = PASSWORD_LENGTH_MAX + 1;
  return { login: login.trim().slice(0, 254), password: password.slice(0, longest) };
}

function secondStep({ sign_in_token, code }: LoginForm): Identification {
  return { sign_in_token, code: code.replaceAll(/\s/g, '').slice(0, 40) };
}

function reasonOf({ definition: { status } }: ApiError): 'wrong' | 'wait' | 'failed' {
  if (status === 401) return 'wrong';
  return status === 429 || status === 503 ? 'wait' : 'failed';
}

function methodsIn(names: unknown): SecondStepMethod[] {
  return Array.isArray(names) ? secondStepMethods.filter((method) => names.includes(method)) : [];
}
