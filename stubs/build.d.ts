// The modules that our scripts find in a build: Reflex's own, as far as `server/framework/js` uses them, and packages
// that bring no types or are not installed where types are checked.

interface ImportMeta {
  /** Set by the build. */
  readonly env: { readonly SSR: boolean };
}
declare namespace globalThis {
  /** For the renderer. */
  var __siteWords:
    | { changes: Map<string, string>; asked: Map<string, number>; marks: { name: string } }
    | undefined;
}

declare module "$/utils/context-registry" {
  /** What a component sends, to the server or, if its name begins with "_", to the browser. */
  export interface ReflexEvent {
    name: string;
    payload?: Record<string, unknown>;
    event_actions?: EventActions;
  }
  export interface EventActions {
    preventDefault?: boolean;
    stopPropagation?: boolean;
    /** The event is not kept while there is no connection. */
    temporal?: boolean;
  }
  export type Events = ReflexEvent | null | undefined | Events[];
  export type Send = (events: Events, args?: unknown, eventActions?: EventActions) => void;
  /** What the server sends: changed vars by state and name, and events for the browser. */
  export interface Update {
    delta?: Record<string, Record<string, unknown>>;
    events?: ReflexEvent[];
  }
  export const app: { state_name: string };
  export const eventLoop: { addEvents: Send };
}

declare module "$/utils/context" {
  export const ColorModeContext: import("react").Context<{
    rawColorMode: string;
    resolvedColorMode: string;
    setColorMode: (mode: string) => void;
  }>;
}

declare module "$/utils/state" {
  export const generateUUID: () => string;
}

declare module "socket.io-client" {
  import type { ReflexEvent, Update } from "$/utils/context-registry";

  export interface Engine {
    readyState: string;
    _hasPingExpired(): boolean;
    emit(name: "error", error: Error): void;
    once(name: "close", listener: (reason: string, details?: { context?: { code?: number } }) => void): void;
  }
  export class Socket {
    connected: boolean;
    io: { engine: Engine; timeout(ms: number): void; on(name: "close", listener: () => void): void };
    connect(): this;
    emit(name: string, event: ReflexEvent, ...rest: unknown[]): this;
    on(name: "connect" | "connect_error", listener: () => void): this;
    on(name: "disconnect", listener: (reason: string) => void): this;
    on(name: "event", listener: (update: Update) => void): this;
    off(name: "event"): this;
    listeners(name: "event"): ((update: Update) => void)[];
    /** Added by Reflex: connects again, unless `wait_connect` says that an attempt is under way. */
    reconnect(): void;
    wait_connect: boolean;
  }
}

declare module "react-router" {
  import type { ReactElement, ReactNode } from "react";

  export interface Location {
    pathname: string;
    search: string;
    hash: string;
    key: string;
  }
  type To = string | { pathname: string; search: string };
  interface NavigateOptions {
    replace?: boolean;
    preventScrollReset?: boolean;
  }
  export interface Blocker {
    state: "unblocked" | "blocked" | "proceeding";
    reset(): void;
    proceed(): void;
  }
  /** It has any attribute of a link. */
  export function Link(props: { to: To; preventScrollReset?: boolean; children?: ReactNode; [attribute: string]: unknown }): ReactElement;
  export function useBlocker(block: (step: { currentLocation: Location; nextLocation: Location }) => boolean): Blocker;
  export function useLocation(): Location;
  export function useNavigate(): (to: To, options?: NavigateOptions) => void;
  export function useNavigation(): { state: "idle" | "loading" | "submitting"; location?: Location };
}

declare module "react-dom" {
  import type { ReactNode, ReactPortal } from "react";

  export function createPortal(children: ReactNode, place: Element, key?: string | number | null): ReactPortal;
  export function preload(href: string, options: Record<string, string>): void;
}

declare module "@emotion/cache" {
  interface Serialized {
    name: string;
    styles: string;
  }
  export interface Cache {
    insert(selector: string, serialized: Serialized, sheet: unknown, isKept: boolean): string | void;
  }
  export default function createCache(options: { key: string }): Cache;
}

declare module "@emotion/react" {
  import type { Cache } from "@emotion/cache";
  import type { ReactElement, ReactNode } from "react";

  export function CacheProvider(props: { value: Cache; children: ReactNode }): ReactElement;
}

declare module "@chakra-ui/react" {
  import type { Context, ElementType, ReactElement, ReactNode, Ref } from "react";

  /** Any attribute of an element, and those by which Chakra describes how it looks. */
  interface Props {
    as?: ElementType;
    children?: ReactNode;
    className?: string;
    isDisabled?: boolean;
    isInvalid?: boolean;
    isRequired?: boolean;
    ref?: Ref<any>;
    [attribute: string]: unknown;
  }
  type Part = (props: Props) => ReactElement;
  type Toggle = (props: Props & { isOpen: boolean; onClose: () => void }) => ReactElement;
  export const EnvironmentProvider: Part, MenuDivider: Part, MenuItem: Part, MenuList: Part, ModalBody: Part, Portal: Part;
  export const ModalCloseButton: Part, ModalContent: Part, ModalFooter: Part, ModalHeader: Part, ModalOverlay: Part;
  export const Modal: Toggle;
  export function Menu(props: {
    placement?: string;
    isLazy?: boolean;
    children: (menu: { isOpen: boolean }) => ReactNode;
  }): ReactElement;
  export function ThemeProvider(props: { theme: object; children: ReactNode }): ReactElement;
  export const ColorModeContext: Context<object>;
  export function extendTheme(theme: object): object;
  export function useMenuButton(props: Props, ref: Ref<any>): object;
}
