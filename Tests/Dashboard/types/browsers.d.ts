// What every browser that the dashboard is made for has, and Debian 12's TypeScript (4.8) does not know yet.

interface MapConstructor {
    groupBy<Key, Item>(items: Iterable<Item>, key: (item: Item, index: number) => Key): Map<Key, Item[]>;
}

interface URLSearchParams {
    readonly size: number;
}

declare namespace Intl {
    function supportedValuesOf(key: "timeZone"): string[];
}
