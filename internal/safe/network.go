package safe

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"gstack/internal/api"
)

// Network decides which hosts may be opened, in whatever way a page or a user
// asks for them: typed, by a redirect, a link, a frame, a script, a worker.
//
// It is enforced in the browser's network layer at no cost per request.
// [Network.Rules] make literal addresses and known names unresolvable there, and
// names are resolved by package resolver, which leaves out the addresses that
// [Network.Addr] refuses; so a name cannot stand for one of them, however often
// its answer changes.
//
// The zero value is the policy of the local user: everything but the services
// that clouds run for the machine itself, and link-local addresses.
type Network struct {
	// PublicOnly refuses this machine and private networks, too.
	PublicOnly bool
	// Ports are the daemon's own, which no page has any business with.
	Ports []int
}

// metadataHosts are names under which clouds serve credentials to machines.
var metadataHosts = []string{
	"metadata.google.internal", "metadata.goog", "metadata", "metadata.azure.com", "metadata.azure.internal", "metadata.tencentyun.com",
	"metadata.platformequinix.com", "metadata.packet.net", "instance-data", "instance-data.ec2.internal", "rancher-metadata",
}

// metadataAddrs are addresses of such services beyond the link-local ones.
var metadataAddrs = []netip.Addr{
	netip.MustParseAddr("169.254.169.254"), // AWS, Azure, Google and most others
	netip.MustParseAddr("100.100.100.200"), // Alibaba
	netip.MustParseAddr("192.0.0.192"),     // Oracle
	netip.MustParseAddr("168.63.129.16"),   // Azure's wire server
}

// privateNets are refused by PublicOnly (RFC 1918, RFC 6598, RFC 1122, RFC 4291).
var privateNets = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("::/128"),
}

// embedded are the IPv6 networks whose addresses contain an IPv4 address, and
// where: mapped and compatible addresses, NAT64 and 6to4.
var embedded = []struct {
	net netip.Prefix
	at  int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12}, {netip.MustParsePrefix("64:ff9b:1::/48"), 12},
	{netip.MustParsePrefix("2002::/16"), 2}, {netip.MustParsePrefix("::/96"), 12},
}

// Addr returns why an address is refused, "" when it may be used.
func (n Network) Addr(ip netip.Addr) (why string) {
	ip = ip.WithZone("").Unmap()
	if why := n.addr(ip); why != "" {
		return why
	}
	for _, e := range embedded {
		if ip.Is6() && e.net.Contains(ip) {
			b := ip.As16()
			if why := n.addr(netip.AddrFrom4([4]byte(b[e.at : e.at+4]))); why != "" {
				return why
			}
		}
	}
	return ""
}

func (n Network) addr(ip netip.Addr) string {
	switch {
	case slices.Contains(metadataAddrs, ip):
		return "a cloud metadata service"
	case ip.IsLinkLocalUnicast():
		return "a link-local address"
	case ip.Is6() && ip.As16()[0]&0xfe == 0xfc:
		return "a unique local address, where clouds serve metadata"
	}
	if n.PublicOnly && slices.ContainsFunc(privateNets, func(p netip.Prefix) bool { return p.Contains(ip) }) {
		return "in a private network, and only public addresses may be opened"
	}
	return ""
}

// Host returns why a host is refused, "" when nothing speaks against it. A name
// is judged by itself here; what it stands for is judged when it is resolved.
func (n Network) Host(host string) (why string) {
	h := strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if slices.Contains(metadataHosts, h) {
		return "a cloud metadata service"
	}
	if n.PublicOnly && (h == "localhost" || strings.HasSuffix(h, ".localhost")) {
		return "this machine, and only public addresses may be opened"
	}
	if ip, ok := parseIP(h); ok {
		return n.Addr(ip)
	}
	return ""
}

// check refuses a host with its port.
func (n Network) check(host, port string) error {
	if why := n.Host(host); why != "" {
		return Denied(host, why)
	}
	if p, err := strconv.Atoi(port); err == nil && slices.Contains(n.Ports, p) {
		return Denied(host+":"+port, "a port of the daemon's own")
	}
	return nil
}

// Denied is the error for an address that may not be opened.
func Denied(host, why string) *api.Error {
	hint := "open another address"
	if strings.Contains(why, "only public") {
		hint = "start the daemon without BROWSE_PUBLIC_ONLY"
	}
	return api.Errorf(api.URLDenied, hint, "%s may not be opened, it is %s", host, why)
}

// Rules are the policy as Chromium's resolver takes it (--host-resolver-rules):
// patterns of hosts, or of hosts with a port, that are not found. It matches them
// with addresses in their canonical form, so that no notation escapes.
func (n Network) Rules() []string {
	hosts := slices.Clone(metadataHosts)
	hosts = append(hosts, "169.254.*")
	for _, a := range metadataAddrs {
		hosts = append(hosts, a.String())
	}
	var v6 []string
	for _, first := range []string{"fc??", "fd??", "fe8?", "fe9?", "fea?", "feb?"} {
		v6 = append(v6, first+":*")
	}
	for _, a := range append(slices.Clone(metadataAddrs), netip.MustParseAddr("169.254.0.0")) {
		b := a.As4()
		last := fmt.Sprintf("%x", int(b[2])<<8|int(b[3]))
		if a.IsLinkLocalUnicast() {
			last = "*"
		}
		hex := fmt.Sprintf("%x:%s", int(b[0])<<8|int(b[1]), last)
		v6 = append(v6, "::ffff:"+hex, "::"+hex, "64:ff9b::"+hex, "64:ff9b:1:*"+hex, "2002:"+hex, "2002:"+hex+":*")
	}
	if n.PublicOnly {
		hosts = append(hosts, "localhost", "*.localhost")
		v6 = append(v6, "::1", "::")
		nets := []string{"10.", "127.", "192.168.", "0."}
		for i := 16; i < 32; i++ {
			nets = append(nets, fmt.Sprintf("172.%d.", i))
		}
		for i := 64; i < 128; i++ {
			nets = append(nets, fmt.Sprintf("100.%d.", i))
		}
		for _, p := range nets {
			for d := range 10 { // a host that ends in a digit is no name
				hosts = append(hosts, fmt.Sprintf("%s*%d", p, d))
			}
		}
		v6 = append(v6, "::ffff:*", "64:ff9b:*", "2002:*")
	}
	for _, p := range v6 {
		hosts = append(hosts, p, "["+p)
	}
	for i, h := range hosts {
		if strings.HasPrefix(h, "[") && !strings.HasSuffix(h, "*") {
			hosts[i] = h + "]"
		}
	}
	for _, p := range n.Ports {
		hosts = append(hosts, fmt.Sprintf("*:%d", p))
	}
	rules := make([]string, 0, 2*len(hosts))
	for _, h := range hosts {
		rules = append(rules, "MAP "+h+" ~NOTFOUND")
		if last := h[len(h)-1]; last >= 'a' && last <= 'z' { // a name may end in a dot
			rules = append(rules, "MAP "+h+". ~NOTFOUND")
		}
	}
	return rules
}

// Direct lists what must not be asked of a proxy, in the form of Chromium's
// --proxy-bypass-list: it would be connected to by the proxy, past the rules.
func (n Network) Direct() []string {
	list := slices.Clone(metadataHosts)
	list = append(list, "169.254.0.0/16", "[fe80::]/10", "[fc00::]/7")
	for _, a := range metadataAddrs {
		list = append(list, a.String())
	}
	if n.PublicOnly {
		for _, p := range privateNets {
			if p.Addr().Is4() {
				list = append(list, p.String())
			}
		}
	}
	return list
}
