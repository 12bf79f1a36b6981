import { createContext, type JSX } from 'preact';
import { useContext, useId, useRef } from 'preact/hooks';
import { t } from '../words.ts';
import { WithCode } from './with-code.tsx';
import './field.css';

/** Why values were refused, by the names of their fields. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The errors of the form around the fields. */
export const FieldErrorsOf = createContext<FieldErrors>({});

interface FieldProps {
  /** For what refers to the field; forms on the same page may have fields with the same name. */
  id?: string | undefined;
  name: string;
  label: string;
  hint?: string | undefined;
  /** Why the value was refused, if the form around it does not know. */
  error?: string | undefined;
}

type InputProps = FieldProps & Omit<JSX.InputHTMLAttributes, 'id' | 'name' | 'label'>;

/** A labelled input. Hint and error are linked to it, so that screen readers read them with the label. */
export function Field({ id, label, hint, error: own, ...input }: InputProps) {
  const { error, ...links } = useLinks(input.name, { id, hint, error: own });
  return (
    <Labelled {...{ label, hint, error }} id={links.id} required={Boolean(input.required)}>
      <input {...links} {...input} />
    </Labelled>
  );
}

type AreaProps = FieldProps & Omit<JSX.TextareaHTMLAttributes, 'id' | 'name'>;

export function AreaField({ id, label, hint, error: own, value, ...area }: AreaProps) {
  const { error, ...links } = useLinks(area.name, { id, hint, error: own });
  return (
    <Labelled {...{ label, hint, error }} id={links.id} required={Boolean(area.required)}>
      <textarea {...links} {...area}>
        {value}
      </textarea>
    </Labelled>
  );
}

type SelectProps = FieldProps &
  Omit<JSX.SelectHTMLAttributes, 'id' | 'name'> & {
    options?: readonly Option[];
    /** Options under a heading each, after the others. */
    groups?: readonly { label: string; options: readonly Option[] }[];
  };

export interface Option {
  readonly value: string;
  readonly label: string;
}

export function SelectField(props: SelectProps) {
  const { id, label, hint, error: own, options = [], groups = [], value, ...select } = props;
  const { error, ...links } = useLinks(select.name, { id, hint, error: own });
  // Without `onChange` the element itself has the choice. A later answer must not undo it, as it undoes no typed text.
  const chosenFrom = useRef<unknown>(value);
  const isTouched = useRef(false);
  if (select.onChange || !isTouched.current) chosenFrom.current = value;
  return (
    <Labelled {...{ label, hint, error }} id={links.id} required={Boolean(select.required)}>
      <select {...links} onInput={() => (isTouched.current = true)} {...select}>
        <Options options={options} value={chosenFrom.current} />
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            <Options options={group.options} value={chosenFrom.current} />
          </optgroup>
        ))}
      </select>
    </Labelled>
  );
}

function Options({ options, value }: { options: readonly Option[]; value: unknown }) {
  return options.map((option) => (
    <option key={option.value} value={option.value} selected={option.value === value}>
      {option.label}
    </option>
  ));
}

interface LabelledProps extends Omit<FieldProps, 'name'> {
  id: string;
  required: boolean;
  children: JSX.Element;
}

export function Labelled({ id, label, hint, error, required, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!required && <span class="optional"> {t('common.optional')}</span>}
      </label>
      {children}
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          <WithCode text={hint} />
        </p>
      )}
      {error && (
        <p class="field-fault" id={`${id}-fault`}>
          {error}
        </p>
      )}
    </div>
  );
}

export function useLinks(name: string, given: Pick<FieldProps, 'id' | 'hint' | 'error'>) {
  const { hint } = given;
  const error = useContext(FieldErrorsOf)[name] ?? given.error;
  const own = useId();
  const id = given.id ?? own;
  const ids = [hint && `${id}-hint`, error && `${id}-fault`].filter(Boolean).join(' ');
  return {
    id,
    error,
    'aria-describedby': ids === '' ? undefined : ids,
    'aria-invalid': error ? ('true' as const) : undefined,
  };
}
