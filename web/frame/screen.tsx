import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSession } from '../session.ts';
import { PreviousIcon } from '../ui/icons.tsx';
import { announce } from './announcer.tsx';
import { GuideLink, type ScreenGuide } from './guide-link.tsx';
import { hasNavigated } from './navigation.ts';
import './screen.css';

interface ScreenProps {
  title: string;
  /** The list that a detail belongs to. */
  back?: { href: string; label: string };
  /** Beside the heading, such as a choice of the period. */
  aside?: ComponentChildren;
  /** For a part of a screen that has a guide of its own, instead of the one that the screen is declared with. */
  guide?: ScreenGuide | undefined;
  children: ComponentChildren;
}

/**
 * The frame of every screen: its heading, which takes the focus after a navigation so that screen readers
 * begin there, and the title of the document.
 */
export function Screen({ title, back, aside, guide, children }: ScreenProps) {
  const { program } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const isNew = useRef(true);
  useLayoutEffect(() => {
    document.title = `${title} · ${program.name}`;
    // The same screen about something else keeps the focus, and says what it shows now.
    if (!isNew.current) announce(title);
    else if (hasNavigated()) heading.current?.focus({ preventScroll: true });
    isNew.current = false;
  }, [title, program.name]);
  return (
    <div class="screen">
      <div class="screen-head">
        {back && (
          <Link class="screen-back" href={back.href}>
            <PreviousIcon aria-hidden />
            {back.label}
          </Link>
        )}
        <div class="screen-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <GuideLink guide={guide} />
        </div>
        {aside}
      </div>
      {children}
    </div>
  );
}
