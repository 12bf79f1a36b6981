import { useId } from 'preact/hooks';
import { WithCode } from './with-code.tsx';
import './switch-field.css';

interface SwitchFieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  isOn: boolean;
  isDisabled?: boolean;
  /** For a change that is used at once; a form reads the field when it is sent. */
  onSwitch?: (isOn: boolean) => void;
}

/** A choice of yes or no, as a check box, which every device and assistive technology knows. */
export function SwitchField({ name, label, hint, isOn, isDisabled, onSwitch }: SwitchFieldProps) {
  const id = useId();
  return (
    <div class="switch-field">
      <input
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={isOn}
        disabled={isDisabled}
        onChange={(event) => onSwitch?.(event.currentTarget.checked)}
        aria-describedby={hint && `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          <WithCode text={hint} />
        </p>
      )}
    </div>
  );
}
