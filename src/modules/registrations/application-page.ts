import { generalErrors, type ApiError } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import {
  applicationFields,
  type ApplicationField,
  type ApplicationFormProps,
} from '../../web-contract/page-props.ts';
import { siteLanguage } from '../store-profile/index.ts';
import { userExists } from '../users/index.ts';
import { languageOf, renderPage } from '../web/index.ts';
import { alreadyApplied } from './application.ts';
import { answerErrors, ownFields, ownTextIn } from './own-fields.ts';

/** What an applicant has typed. */
export interface Typed {
  readonly values: Readonly<Record<ApplicationField, string>>;
  readonly answers: Readonly<Record<string, string>>;
}

/** The form before anything is typed. */
export function emptyForm(site: Site, language: Language): ApplicationFormProps {
  // `Object.fromEntries` types its keys as plain strings.
  const values = Object.fromEntries(applicationFields.map((name) => [name, ''])) as Typed['values'];
  return { values, errors: [], ownFields: ownControls(site, language, {}, {}) };
}

/** The form with what was typed, and why it was refused. */
export function refusedForm(
  site: Site,
  request: RequestFacts,
  { values, answers }: Typed,
  error: ApiError,
): Promise<HttpResponse<string>> {
  const named = namesIn(error);
  const errors = applicationFields.filter((name) => named.includes(name));
  const answersAreJudged = error.definition.status === 400;
  const wrong = answersAreJudged ? answerErrors(site, answers) : {};
  const props: ApplicationFormProps = {
    values,
    errors,
    ownFields: ownControls(site, languageOf(site, request), answers, wrong),
    ...(errors.length === 0 && Object.keys(wrong).length === 0 && { problem: problemOf(error) }),
  };
  const { status } = error.definition;
  return renderPage(site, request, 'apply', props, {
    status,
    ...(status === 429 && { headers: { 'Retry-After': '60' } }),
  });
}

function ownControls(
  { settings }: Site,
  language: Language,
  answers: Typed['answers'],
  errors: ReturnType<typeof answerErrors>,
): ApplicationFormProps['ownFields'] {
  const ownLanguage = settings.get(siteLanguage);
  return settings.get(ownFields).map(({ name, label, type, required, choices = [], help }) => ({
    name,
    label: ownTextIn(label, ownLanguage, language),
    help: help && ownTextIn(help, ownLanguage, language),
    type,
    required,
    choices,
    value: Object.hasOwn(answers, name) ? answers[name]! : '',
    error: errors[name],
  }));
}

/** The names of the invalid parameters. */
function namesIn({ data }: ApiError): string[] {
  const params = data['params'];
  return typeof params === 'object' && params !== null ? Object.keys(params) : [];
}

function problemOf({ definition }: ApiError): NonNullable<ApplicationFormProps['problem']> {
  if (definition === userExists) return 'taken';
  if (definition === alreadyApplied) return 'applied';
  return definition === generalErrors.rateLimited ? 'limited' : 'refused';
}
