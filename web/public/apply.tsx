import { countries } from '../../src/web-contract/countries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { AreaField, Field, SelectField, type Option } from '../ui/field.tsx';
import { currentLanguage, t } from '../words.ts';
import {
  applicationFields,
  type ApplicationField,
  type ApplicationFormProps,
  type OwnField,
} from '../../src/web-contract/page-props.ts';
import './form.css';

export function applyTitle({ errors, problem }: ApplicationFormProps): string {
  const title = t('public.apply.title');
  return errors.length > 0 || problem ? `${t('common.pleaseCheck')} ${title}` : title;
}

export function ApplyPage(props: ApplicationFormProps) {
  const { values, errors, ownFields, problem } = props;
  const field = (name: ApplicationField) => ({
    id: name,
    name,
    label: t(`public.apply.${name}`),
    value: values[name],
    error: errors.includes(name) ? t(`public.apply.fault.${name}`) : undefined,
  });
  const invalid = [
    ...applicationFields.filter((name) => errors.includes(name)).map(field),
    ...ownFields
      .filter(({ error }) => error)
      .map(({ name, label }) => ({ name: controlName(name), label })),
  ];
  const isMoreOpen = (['coupon_code', 'referrer'] as const).some(
    (name) => values[name] !== '' || errors.includes(name),
  );
  return (
    <>
      <header class="form-head">
        <h1>{t('public.apply.title')}</h1>
        <p class="muted">{t('public.apply.lead')}</p>
      </header>
      <ErrorSummary problem={problem && t(`public.apply.problem.${problem}`)} errors={invalid} />
      <form class="stack" method="post" action="/apply">
        <Field {...field('display_name')} required autocomplete="name" />
        <Field {...field('email')} required type="email" autocomplete="email" />
        <Field
          {...field('login')}
          hint={t('public.apply.loginHint')}
          required
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
        />
        <Field
          {...field('website')}
          hint={t('public.apply.urlHint')}
          inputmode="url"
          autocomplete="url"
          autocapitalize="none"
        />
        <AreaField {...field('promote')} rows={4} />
        {ownFields.map((own) => (
          <OwnControl key={own.name} {...own} />
        ))}
        <details class="form-more" open={isMoreOpen}>
          <summary>{t('public.apply.more')}</summary>
          <div class="stack">
            <Field
              {...field('coupon_code')}
              hint={t('public.apply.couponHint')}
              autocomplete="off"
              autocapitalize="characters"
            />
            <Field {...field('referrer')} autocomplete="off" />
          </div>
        </details>
        <div hidden>
          <label for="homepage">{t('public.apply.leaveEmpty')}</label>
          <input id="homepage" name="homepage" tabIndex={-1} autocomplete="off" />
        </div>
        <Button type="submit">{t('public.apply.submit')}</Button>
      </form>
      <p class="muted">
        {t('public.apply.haveAccount')} <a href="/app/login">{t('public.program.signIn')}</a>
      </p>
    </>
  );
}

function controlName(name: string): string {
  return `custom_fields[${name}]`;
}

function OwnControl({ name, label, help, type, required, choices, value, error }: OwnField) {
  const common = {
    id: controlName(name),
    name: controlName(name),
    label,
    hint: help,
    required,
    value,
    error: error && t(`public.answer.${error}`),
  };
  switch (type) {
    case 'long_text':
      return <AreaField {...common} rows={4} />;
    case 'choice':
      return <SelectField {...common} options={withNone(choices.map(asOption))} />;
    case 'country':
      return (
        <SelectField {...common} autocomplete="country" options={withNone(countryOptions())} />
      );
    case 'url':
      return <Field {...common} inputmode="url" autocapitalize="none" />;
    case 'text':
      return <Field {...common} />;
  }
}

function asOption(choice: string): Option {
  return { value: choice, label: choice };
}

function withNone(options: readonly Option[]): readonly Option[] {
  return [{ value: '', label: t('common.choose') }, ...options];
}

function countryOptions(): readonly Option[] {
  const language = currentLanguage();
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return countries
    .map((code) => ({ value: code, label: names.of(code)! }))
    .sort((a, b) => compare(a.label, b.label));
}
