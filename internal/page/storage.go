package page

import (
	"context"

	"gstack/internal/api"
)

// Entry is one entry of a storage area.
type Entry [2]string

// Storage is what a document keeps (HTML Standard, web storage).
type Storage struct {
	Local   []Entry `json:"local"`
	Session []Entry `json:"session"`
}

// Storage returns what f's document keeps, in the order of the keys. A document
// with an opaque origin, such as about:blank, is [api.Failed].
func (f *Frame) Storage(ctx context.Context) (Storage, error) {
	return storageCall[Storage](ctx, f, "storageList")
}

// StorageGet returns an entry; nil when there is none.
func (f *Frame) StorageGet(ctx context.Context, session bool, key string) (*string, error) {
	return storageCall[*string](ctx, f, "storageGet", session, key)
}

// StorageSet makes or replaces an entry. A full area is [api.TooLarge].
func (f *Frame) StorageSet(ctx context.Context, session bool, key, value string) error {
	_, err := storageCall[any](ctx, f, "storageSet", session, key, value)
	return err
}

// StorageRemove removes an entry and reports whether there was one.
func (f *Frame) StorageRemove(ctx context.Context, session bool, key string) (bool, error) {
	return storageCall[bool](ctx, f, "storageRemove", session, key)
}

// StorageClear removes all entries of an area and returns how many there were.
func (f *Frame) StorageClear(ctx context.Context, session bool) (int, error) {
	return storageCall[int](ctx, f, "storageClear", session)
}

func storageCall[T any](ctx context.Context, f *Frame, fn string, args ...any) (T, error) {
	var r struct {
		Value T      `json:"value"`
		Error string `json:"error"`
	}
	err := f.Call(ctx, "", fn, &r, args...)
	switch {
	case err != nil:
	case r.Error == "full":
		err = api.Errorf(api.TooLarge, "browse storage clear, or remove what is not needed", "the storage of %s is full", f.URL())
	case r.Error != "":
		err = api.Errorf(api.Failed, "browse goto a page of the site first", "%s has no storage of its own", f.URL())
	}
	return r.Value, err
}
