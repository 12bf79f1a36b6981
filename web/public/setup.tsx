import { languages } from '../../src/shared/languages.ts';
import { Button } from '../ui/button.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field, SelectField, type Option } from '../ui/field.tsx';
import { t } from '../words.ts';
import { ownNames } from '../language-names.ts';
import { currencyGroups, zoneGroups } from '../place-options.ts';
import { setupSteps, type SetupField, type SetupProps } from '../../src/web-contract/page-props.ts';
import { SetupProgress } from './setup-progress.tsx';
import './form.css';

export function setupTitle({ step }: SetupProps): string {
  return t(`public.setup.${step}`);
}

export function SetupPage(props: SetupProps) {
  const { token, step, texts, errors, problem } = props;
  const isLast = step === 'you';
  return (
    <>
      <header class="form-head">
        <SetupProgress step={step} />
        <h1>{t(`public.setup.${step}`)}</h1>
        <p class="muted">{t(`public.setup.${step}Text`)}</p>
      </header>
      <ErrorSummary
        problem={problem && t(`public.setup.problem.${problem}`)}
        errors={errors.map((name) => ({ name, label: t(`public.setup.field.${name}`) }))}
      />
      <form class="stack" method="post" action={isLast ? '/setup' : '/setup/step'}>
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="step" value={step} />
        {setupSteps[step].map((name) =>
          props.fixed.includes(name) ? (
            <p key={name}>
              {t(`public.setup.field.${name}`)}: <strong>{texts[name]}</strong>
              <span class="muted"> ({t('public.setup.fixed')})</span>
            </p>
          ) : (
            <Control key={name} name={name} {...props} />
          ),
        )}
        <div class="form-buttons">
          {/* The first button of a form is the one that Enter presses. */}
          <Button type="submit">{t(isLast ? 'public.setup.finish' : 'public.setup.next')}</Button>
          {step !== 'store' && (
            <Button
              kind="quiet"
              type="submit"
              name="go"
              value="back"
              formAction="/setup/step"
              formNoValidate
            >
              {t('public.setup.back')}
            </Button>
          )}
        </div>
      </form>
    </>
  );
}

function Control({
  name,
  texts,
  errors,
  timeZones,
  passwordLength,
  isZoneSuggested,
}: SetupProps & { name: SetupField }) {
  const common = {
    id: name,
    name,
    label: t(`public.setup.field.${name}`),
    value: texts[name],
    error: errors.includes(name) ? t(`public.setup.fault.${name}`) : undefined,
    required: true,
  };
  switch (name) {
    case 'store_name':
      return <Field {...common} autocomplete="organization" maxLength={100} />;
    case 'store_url':
      return (
        <Field
          {...common}
          hint={t('public.setup.hint.store_url')}
          inputmode="url"
          autocapitalize="none"
          spellcheck={false}
          autocomplete="url"
          placeholder="https://store.example"
        />
      );
    case 'language':
      return (
        <SelectField
          {...common}
          hint={t('public.setup.hint.language')}
          options={languageOptions()}
        />
      );
    case 'currency':
      return (
        <SelectField
          {...common}
          hint={t('public.setup.hint.currency')}
          options={[{ value: '', label: t('common.choose') }]}
          groups={currencyGroups()}
        />
      );
    case 'timezone':
      return (
        <SelectField
          {...common}
          hint={t('public.setup.hint.timezone')}
          groups={zoneGroups(timeZones)}
          // The zone of the browser may replace what the server has guessed, not what was chosen.
          data-suggested={isZoneSuggested ? '' : undefined}
        />
      );
    case 'percent':
      return <Field {...common} hint={t('public.setup.hint.percent')} inputmode="decimal" />;
    case 'cookie_days':
    case 'hold_days':
      return <Field {...common} hint={t(`public.setup.hint.${name}`)} inputmode="numeric" />;
    case 'login':
      return <Field {...common} autocomplete="username" autocapitalize="none" spellcheck={false} />;
    case 'email':
      return <Field {...common} type="email" autocomplete="email" />;
    case 'password':
      return (
        <Field
          {...common}
          hint={t('public.setup.hint.password')}
          type="password"
          autocomplete="new-password"
          minLength={passwordLength}
        />
      );
  }
}

function languageOptions(): Option[] {
  return languages.map((language) => ({ value: language, label: ownNames[language] }));
}
