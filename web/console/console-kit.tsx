import { Fragment, h, type FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Method } from '../../sdk/src/index.ts';
import type { ConsoleKit } from '../../src/web-contract/console-kit.ts';
import { act } from '../act.ts';
import { api } from '../api.ts';
import { refresh, useData, type Family } from '../data.ts';
import { formatDate, formatMoney } from '../format.ts';
import { Screen } from '../frame/screen.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pending } from '../ui/error-state.tsx';
import { AreaField, Field, SelectField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pill } from '../ui/pill.tsx';
import { addWords, currentLanguage, formatNumber, t, type WordKey } from '../words.ts';

/** Loads the screen of an extension, which its script makes from the parts of the console. */
export async function loadScreen(name: string, script: string): Promise<FunctionComponent> {
  // What the guide for extensions says that the script exports.
  const { default: make } = (await import(script)) as {
    default: (kit: ConsoleKit) => FunctionComponent;
  };
  return make(kitOf(name));
}

function kitOf(name: string): ConsoleKit {
  // The service refuses names that a screen of ours has; those of our data differ from them.
  const family = `extension ${name}` as Family;
  return {
    h: h as ConsoleKit['h'],
    Fragment,
    useState,
    useLayoutEffect,
    language: currentLanguage(),
    words(texts) {
      const own = { ...texts.en, ...texts[currentLanguage()] };
      addWords({ [family]: own });
      return (key, values) => t(`${family}.${key}` as WordKey, values);
    },
    request: (method, path, input, options) => api.request(method as Method, path, input, options),
    useData: (input, load) => useData(family, input, load),
    refresh: () => refresh(family),
    act,
    format: { date: (date) => formatDate(date, 'day'), money: formatMoney, number: formatNumber },
    ui: {
      AreaField,
      Button,
      Card,
      DataTable,
      EmptyState,
      Field,
      Form,
      Link,
      Moment,
      Notice,
      Pending,
      Pill,
      Screen,
      SelectField,
    },
  };
}
