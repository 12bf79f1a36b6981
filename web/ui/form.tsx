import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TributaryError, type CallOptions } from '../../sdk/src/index.ts';
import { act, GivenUp } from '../act.ts';
import { announce } from '../frame/announcer.tsx';
import { limitOf, sentenceOf } from '../error-words.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { FieldErrorsOf, type FieldErrors } from './field.tsx';
import { Notice } from './notice.tsx';
import { StatusLine } from './status-line.tsx';
import './form.css';

export type FormValues = Readonly<Record<string, string>>;

export interface FormProps {
  /** The words of the button. */
  action: string;
  kind?: 'primary' | 'quiet' | 'danger';
  /** Sends the values. `options` hold the idempotency key, which stays until the service has decided. */
  submit(values: FormValues, options: CallOptions): Promise<unknown>;
  /** The message after a success. Without it, what the form belongs to changes visibly. */
  done?: string;
  /** Whether something else lets screen readers say what was done. */
  isSilent?: boolean;
  /** Whether the fields are emptied after a success, as those of a password are. */
  clears?: boolean;
  /** A sign-in is sent as it is: it cannot wait for a sign-in. */
  isSignIn?: boolean;
  /** Words for a refused value, instead of a general sentence. */
  errorOf?(field: string): string | undefined;
  /** Shows the reasons of the service, which are in English: for the console. */
  showsReasons?: boolean;
  /** Next to the button. */
  beside?: ComponentChildren;
  /** Fields find their errors by their names. */
  children?: ComponentChildren;
}

type State =
  | { step: 'ready' | 'busy' | 'waiting' | 'done' }
  | { step: 'refused'; summary: string; errors: FieldErrors };

/**
 * A form that is sent once, however often its button is pressed, and that keeps what was typed until the
 * service has accepted it.
 */
export function Form(props: FormProps) {
  const { action, kind = 'primary', done, beside, children } = props;
  const [state, setState] = useState<State>({ step: 'ready' });
  const form = useRef<HTMLFormElement>(null);
  const sending = useRef<AbortController | undefined>(undefined);
  const undecided = useRef<{ values: string; key: string } | undefined>(undefined);
  const isBusy = state.step === 'busy' || state.step === 'waiting';
  const errors = state.step === 'refused' ? state.errors : {};

  useLayoutEffect(() => {
    if (state.step !== 'refused') return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [state]);
  // A form that is gone stops trying; an attempt that was sent is answered all the same.
  useLayoutEffect(() => () => sending.current?.abort(), []);

  const send = async (element: HTMLFormElement) => {
    if (sending.current) return;
    const missing = invalidFields(element, props.errorOf);
    if (Object.keys(missing).length > 0) {
      setState({ step: 'refused', summary: t('common.checkForm'), errors: missing });
      return;
    }
    const values = valuesOf(element);
    const text = JSON.stringify(values);
    if (undecided.current?.values !== text) {
      undecided.current = { values: text, key: crypto.randomUUID() };
    }
    const controller = new AbortController();
    sending.current = controller;
    setState({ step: 'busy' });
    try {
      if (props.isSignIn) {
        await props.submit(values, {});
      } else {
        await act((options) => props.submit(values, { ...options, signal: undefined }), {
          idempotencyKey: undecided.current.key,
          onWait: (isWaiting) => setState({ step: isWaiting ? 'waiting' : 'busy' }),
          signal: controller.signal,
        });
      }
      undecided.current = undefined;
      if (props.clears) element.reset();
      else acceptValues(element);
      setState({ step: 'done' });
      if (done === undefined && !props.isSilent) announce(t('common.done'));
    } catch (error) {
      if (error instanceof TributaryError) undecided.current = undefined;
      if (error instanceof GivenUp) setState({ step: 'ready' });
      else setState({ step: 'refused', ...refusalOf(error, element, props) });
    } finally {
      sending.current = undefined;
    }
  };

  return (
    <form
      class="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
      onInput={() => state.step === 'done' && setState({ step: 'ready' })}
    >
      {state.step === 'refused' && <Notice kind="bad">{state.summary}</Notice>}
      <FieldErrorsOf.Provider value={errors}>{children}</FieldErrorsOf.Provider>
      <StatusLine kind={state.step === 'waiting' ? 'warn' : 'good'}>
        {state.step === 'waiting' && t('common.waitingToSend')}
        {state.step === 'done' && done}
      </StatusLine>
      <div class="form-actions">
        <Button type="submit" kind={kind} busy={isBusy}>
          {isBusy ? t('common.sending') : action}
        </Button>
        {state.step === 'waiting' && (
          <Button type="button" kind="quiet" onClick={() => sending.current?.abort()}>
            {t('common.cancel')}
          </Button>
        )}
        {!isBusy && beside}
      </div>
    </form>
  );
}

/** What was sent is what the fields begin with from now on, so that a dialog closes without a question. */
function acceptValues(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLInputElement>('input, textarea')) {
    if (field.type !== 'file') field.defaultValue = field.value;
  }
}

type ErrorWords = FormProps['errorOf'];

export function valuesOf(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(entries);
}

/** What the browser itself can judge, in our words. */
function invalidFields(form: HTMLFormElement, errorOf: ErrorWords): FieldErrors {
  const errors: Record<string, string> = {};
  for (const field of form.querySelectorAll('input, select, textarea')) {
    const { name, validity } = field as HTMLInputElement;
    if (validity.valid) continue;
    errors[name] = validity.valueMissing
      ? t('common.fillIn')
      : (errorOf?.(name) ?? t('common.checkThis'));
  }
  return errors;
}

/** Errors of parameters that no field has are reported above the form. */
function refusalOf(
  error: unknown,
  form: HTMLFormElement,
  { errorOf, showsReasons = false }: Pick<FormProps, 'errorOf' | 'showsReasons'>,
): { summary: string; errors: FieldErrors } {
  const errors: Record<string, string> = {};
  if (error instanceof TributaryError) {
    for (const [parameter, reason] of Object.entries(error.params)) {
      const name = namesOf(parameter).find((one) => form.elements.namedItem(one) !== null);
      if (name === undefined) continue;
      errors[name] =
        limitOf(error) ?? errorOf?.(name) ?? (showsReasons ? reason : t('common.checkThis'));
    }
  }
  return { summary: sentenceOf(error), errors };
}

/** The names that the field of a parameter may have: its path, that of the list it is in, or its own name. */
function namesOf(parameter: string): string[] {
  return [parameter, parameter.replace(/\[\d+\]$/, ''), parameter.split('.').at(-1)!];
}
