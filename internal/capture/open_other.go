//go:build !unix

package capture

const noFollow = 0
